import type { VNode } from "preact";
import { dom } from "./dom.ts";
import type { PagedList } from "./use-pages.ts";

/** The line below a list that has more pages; it keeps its place while they are loaded. */
export const moreRows = (
  { rows, isWhole, isLoading }: PagedList<unknown>,
  text: string,
): VNode | false =>
  rows !== undefined &&
  !isWhole &&
  dom.p({ class: "more-rows small faint", role: "status" }, isLoading ? text : "");
