import type { Document } from "domhandler";
import { readThread, type Thread } from "../threads/find-thread.ts";
import { findMakers } from "./find-generator.ts";

/** Returns the thread of a page of known forum software. `declared` is the declared generator. */
export function findPageThread(document: Document, declared: string): Thread | undefined {
  for (const software of findMakers(document, declared).forums) {
    const thread = readThread(document, software);
    if (thread !== undefined) return thread;
  }
  return undefined;
}
