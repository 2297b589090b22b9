import type { Document } from "domhandler";
import {
  findMainContent,
  type ByModel,
  type MainContentOptions,
} from "../src/html/main-content/find-main-content.ts";

/** Finds the main content of a page whose generator is unknown. */
export function findByModel(root: Document, options: MainContentOptions): ByModel {
  const found = findMainContent(root, options);
  if (found.level === "generator") throw new Error(`${found.generator} made this page`);
  return found;
}
