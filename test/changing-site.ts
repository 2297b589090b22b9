// A site whose pages are changed by the test, for change tracking and monitors.
import type { ServerResponse } from "node:http";
import { openSite } from "./http-fetching.ts";

export type Page = (response: ServerResponse) => void;

/** Text that makes a short page long enough to have main content. */
export const FILLER =
  "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

const MISSING = "<title>Not found</title><h1>Not found</h1>";

/** A page with these lines as paragraphs. */
export const buildPage =
  (lines: readonly string[], status = 200): Page =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
    const body = lines.map((line) => `<p>${line}</p>`).join("\n");
    response.end(`<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p>${body}</main>`);
  };

/** Opens an empty site; `closeAll` of http-fetching.ts closes it. */
export async function openChangingSite() {
  const pages = new Map<string, Page>();
  const { base } = await openSite((request, response) => {
    const page = pages.get(request.url ?? "/");
    if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end(MISSING);
    else page(response);
  });
  let count = 0;
  return {
    base,
    pages,
    /** Adds a page with these lines at a path of its own. */
    openPage(...lines: readonly string[]) {
      const path = `/page${(count += 1)}`;
      pages.set(path, buildPage(lines));
      return {
        url: `${base}${path}`,
        edit: (...next: readonly string[]) => void pages.set(path, buildPage(next)),
        answer: (next: Page) => void pages.set(path, next),
        remove: () => void pages.delete(path),
      };
    },
  };
}
