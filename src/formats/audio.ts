import { findAudio } from "../audio/find-audio.ts";
import type { PageFormat } from "./format.ts";

/** Where the page says its audio is; it is fetched after all else is derived, since nothing here touches the network. */
export const audio: PageFormat = {
  derive: (view) => {
    if (view.hasTree()) view.audio = findAudio(view.document(), view.input.url);
    return {};
  },
};
