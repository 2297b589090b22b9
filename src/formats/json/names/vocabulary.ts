// The words that pages and schemas use for common concepts, one file per kind of page. The first
// name of a concept is the concept itself.
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("./vocabulary/", import.meta.url);

export type Concept = { readonly concept: string; readonly names: readonly string[] };

/** Reads all concepts with their names as pages write them. */
export const readConcepts = (): Concept[] =>
  readdirSync(FOLDER)
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(new URL(file, FOLDER), "utf8");
      const concepts = JSON.parse(text) as Readonly<Record<string, readonly string[]>>;
      return Object.entries(concepts).map(([concept, names]) => ({ concept, names }));
    });
