// Cross-site frames: the browser isolates them from the page, and their content is not read with
// it.
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const getComputedStyle: (element: PageElement) => { readonly visibility: string };

/**
 * Returns warnings for cross-site frames that fill a large part of the window. Smaller ones, such
 * as embedded players, are no loss.
 */
export async function warnForeignFrames(world: PageWorld, deadline: Deadline): Promise<string[]> {
  const addresses = await world.run<string[]>(SOURCE, { share: 0.4, max: 3 }, deadline);
  return addresses.map(
    (address) => `Content in a cross-site frame is not part of the result: ${address}`,
  );
}

/** Runs in the page. */
function findForeignFrames({ share, max }: { share: number; max: number }): string[] {
  const found: string[] = [];
  for (const frame of Array.from(document.querySelectorAll("iframe"))) {
    const { src } = frame;
    if (frame.contentDocument || typeof src !== "string" || !/^https?:/.test(src)) continue;
    const { width, height } = frame.getBoundingClientRect();
    if (width * height < innerWidth * innerHeight * share) continue;
    if (getComputedStyle(frame).visibility !== "hidden") found.push(src.slice(0, 300));
  }
  return found.slice(0, max);
}

const SOURCE = `(argument) => { "use strict";
${findForeignFrames.toString()}
return findForeignFrames(argument); }`;
