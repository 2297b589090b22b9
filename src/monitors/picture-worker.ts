// Entry of the thread for pictures.
import {
  comparePictures,
  cutPicture,
  type PictureDifference,
  type PictureTask,
} from "./picture.ts";

// Piscina calls the default export.
// oxlint-disable-next-line import/no-default-export
export default async (task: PictureTask): Promise<PictureDifference | Uint8Array | undefined> =>
  task.kind === "cut"
    ? await cutPicture(task.bytes, task.rules)
    : await comparePictures(task.before, task.after, task.tolerance, task.ignored);
