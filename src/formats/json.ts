import type { PageFormat } from "./format.ts";
import { draftJson, type JsonTask } from "./json/draft.ts";

/** Structured data by the rules alone; `understand.ts` goes on from it where there is a model. */
export const json: PageFormat = {
  derive: (view, format) => {
    const draft = draftJson(view, format as JsonTask);
    view.jsonDraft = draft;
    return draft.value === undefined ? {} : { json: draft.value };
  },
};
