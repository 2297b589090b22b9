// Formats that search a page: highlights, and passages that answer a question as far as rules can.
import type { FormatOf } from "../contract/page/formats.ts";
import type { PageFormat } from "./format.ts";
import { bestPassages, rankPassages, type Passage } from "./passages/rank.ts";
import { readContent } from "./reading.ts";
import type { PageView } from "./view.ts";

const MAX_HIGHLIGHTS = 6;
const MAX_ANSWERING = 3;

const joined = (passages: readonly Passage[]): string =>
  passages.map(({ text }) => text).join("\n\n");

function find(view: PageView, query: string, most: number): string {
  return joined(bestPassages(rankPassages(readContent(view), query), most));
}

export const highlights: PageFormat = {
  derive: (view, format) => {
    const { query } = format as FormatOf<"highlights">;
    return { highlights: find(view, query, MAX_HIGHLIGHTS) };
  },
};

export const question: PageFormat = {
  derive: (view, format) => {
    const answer = find(view, (format as FormatOf<"question">).question, MAX_ANSWERING);
    return answer === "" ? {} : { answer };
  },
};

export const query: PageFormat = {
  derive: (view, format) => {
    const answer = find(view, (format as FormatOf<"query">).prompt, MAX_ANSWERING);
    return answer === "" ? {} : { answer };
  },
};
