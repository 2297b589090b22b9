import type { Page } from "playwright-core";

const TIMEOUT_MS = 300;
const MAX_TITLE_CHARACTERS = 300;

/** Returns the title of a page; empty if the page does not respond. */
export async function readTitle(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(""), TIMEOUT_MS);
  });
  const title = page.title().catch(() => "");
  return (await Promise.race([title, late]).finally(() => clearTimeout(timer))).slice(
    0,
    MAX_TITLE_CHARACTERS,
  );
}
