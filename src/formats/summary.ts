import type { PageFormat } from "./format.ts";
import { summarise } from "./summary/extractive.ts";

/** The page in a few of its own sentences; `understand.ts` asks a model instead where there is one. */
export const summary: PageFormat = {
  derive: (view) => {
    const text = summarise(view.reading());
    return text === undefined ? {} : { summary: text };
  },
};
