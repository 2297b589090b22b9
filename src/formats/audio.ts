import { findAudio } from "../audio/find-audio.ts";
import type { PageFormat } from "./format.ts";

/**
 * Finds the page's audio sources. The audio is downloaded after all formats are derived, because
 * this code has no network access.
 */
export const audio: PageFormat = {
  derive: (view) => {
    if (view.hasTree()) view.audio = findAudio(view.document(), view.input.url);
    return {};
  },
};
