// Pictures are decoded and compared in a thread: a screenshot takes up to a second of CPU, in which
// the server would answer nothing. The thread starts with the first picture and ends when idle.
import { Piscina } from "piscina";
import type { PictureScope } from "../contract/jobs/monitor-rules.ts";
import { createLazy } from "../runtime/lazy.ts";
import type { PictureDifference, PictureTask } from "./picture.ts";

const IDLE_MS = 10_000;
/** MiB of old-generation heap; the pixels are outside of it. */
const MEMORY_MIB = 256;

const thread = createLazy(
  async () =>
    new Piscina<PictureTask, PictureDifference | Uint8Array | undefined>({
      filename: new URL("./picture-worker.ts", import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      atomics: "disabled",
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
      recordTiming: false,
    }),
);

/** See `cutPicture`. */
export async function cutPictureInThread(
  bytes: Uint8Array,
  { region, masks }: Pick<PictureScope, "region" | "masks">,
): Promise<Uint8Array | undefined> {
  const task: PictureTask = { kind: "cut", bytes, rules: { region, masks } };
  return (await (await thread()).run(task)) as Uint8Array | undefined;
}

/** See `comparePictures`. */
export async function comparePicturesInThread(
  before: Uint8Array,
  after: Uint8Array,
  tolerance: number,
  ignored: ReadonlySet<string>,
): Promise<PictureDifference> {
  const task: PictureTask = { kind: "compare", before, after, tolerance, ignored };
  return (await (await thread()).run(task)) as PictureDifference;
}
