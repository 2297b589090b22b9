import type { FormatDeclaration } from "./format.ts";

/**
 * The page's audio as MP3. Derivation only finds it: the audio engine fetches it when all formats
 * are derived.
 */
export const audio: FormatDeclaration<"audio"> = {
  name: "audio",
  needs: [],
  isWithoutText: true,
  price: () => "audio",
  bodies: { takes: "binary" },
  file: { source: "audio" },
  derive: async () => {
    const { findAudio } = await import("../audio/find-audio.ts");
    return (view) => {
      if (view.hasTree()) view.audio = findAudio(view.getDocument(), view.input.url);
      return {};
    };
  },
};
