import type { PageFormat } from "./format.ts";

/** Image bytes as a data URL; omitted without an error for anything but an image. */
export const rawBase64: PageFormat = {
  derive: (view) =>
    view.kind === "image"
      ? {
          rawBase64: `data:${view.input.mimeType};base64,${Buffer.from(view.input.body).toString("base64")}`,
        }
      : {},
};
