import type { PageFormat } from "./format.ts";
import { readContent } from "./reading.ts";
import { summarise } from "./summary/extractive.ts";

/** The page in a few of its own sentences; `understand.ts` asks a model instead where there is one. */
export const summary: PageFormat = {
  derive: (view) => {
    const text = summarise(readContent(view));
    return text === undefined ? {} : { summary: text };
  },
};
