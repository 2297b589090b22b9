import type { FormatDeclaration } from "./format.ts";

/** Image bytes as a data URL; omitted without an error for anything but an image. */
export const rawBase64: FormatDeclaration<"rawBase64"> = {
  name: "rawBase64",
  needs: [],
  isWithoutText: true,
  bodies: { takes: "image" },
  derive: async () => (view) => {
    if (view.kind !== "image") return {};
    const base64 = Buffer.from(view.input.body).toString("base64");
    return { rawBase64: `data:${view.input.mimeType};base64,${base64}` };
  },
};
