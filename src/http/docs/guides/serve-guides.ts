import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply } from "fastify";
import { RequestError } from "../../../errors.ts";
import { createLazy } from "../../../runtime/lazy.ts";
import { buildGuidePage, buildIndexPage, buildSearchPage } from "./guide-page.ts";

/** No scripts, and nothing from elsewhere. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join("; ");

const MAX_QUERY_CHARACTERS = 200;

/**
 * Serves the guides at /docs, with a search at /docs?q=WORDS. Read and rendered on first request.
 */
export function serveGuides(server: FastifyInstance): void {
  const parts = createLazy(async () => {
    const { loadGuides, searchGuides } = await import("./guides.ts");
    return { guides: await loadGuides(), searchGuides };
  });
  const send = (reply: FastifyReply, html: string): FastifyReply =>
    reply
      .headers({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": CONTENT_POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      })
      .send(html);

  server.get("/docs", async (request, reply) => {
    const { guides, searchGuides } = await parts();
    const { q } = request.query as { readonly q?: unknown };
    const query = typeof q === "string" ? q.trim().slice(0, MAX_QUERY_CHARACTERS) : "";
    if (query === "") return await send(reply, buildIndexPage(guides));
    return await send(reply, buildSearchPage(guides, query, searchGuides(guides, query)));
  });
  const css = createLazy(
    async () => await readFile(new URL("guides.css", import.meta.url), "utf8"),
  );
  server.get("/docs/guides.css", async (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(await css()),
  );
  server.get("/docs/*", async (request, reply) => {
    const name = (request.params as { readonly "*": string })["*"].replace(/(?:\.md)?\/?$/, "");
    const { guides } = await parts();
    const guide = guides.find((one) => one.name === name);
    if (guide === undefined)
      throw new RequestError("NOT_FOUND", "There is no such guide; /docs lists them.");
    return await send(reply, buildGuidePage(guides, guide));
  });
}
