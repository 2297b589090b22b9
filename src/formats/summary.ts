import type { PageFormat } from "./format.ts";
import { readContent } from "./reading.ts";
import { summarise } from "./summary/extractive.ts";

/** A few sentences of the page; `understand.ts` asks a model instead if there is one. */
export const summary: PageFormat = {
  derive: (view) => {
    const text = summarise(readContent(view));
    return text === undefined ? {} : { summary: text };
  },
};
