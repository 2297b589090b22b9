import { assertPageReadable } from "../../account/allow-hosts.ts";
import type { Identity } from "../../account/identity.ts";
import type { ScrapeOptions } from "../../contract/page/scrape.ts";
import type { StoredRequestResponse } from "../../contract/page/stored-request.ts";
import { RequestError } from "../../errors.ts";
import type { Explain } from "../../formats/derivation.ts";
import { toJsonBytes, withMember } from "../../runtime/json-bytes.ts";
import { omitActionSecrets } from "../../jobs/omit-action-secrets.ts";
import type { Scrape } from "../../scrape/scrape.ts";
import { describeGoneDocument } from "../../store/captures/document-gone.ts";
import type { ScrapeStore, StoredScrape } from "../../store/captures/scrapes.ts";
import type { PublicAddress } from "../public-address.ts";
import { answerWithProgress } from "../answer-with-progress.ts";
import type { Call, Handlers } from "../route.ts";

/**
 * Requests the explanation beside the document; a header, because the contract's body has no field
 * for it. The value "overlay" also requests the page with kept content highlighted.
 */
const EXPLAIN_HEADER = "x-quarry-explain";

/** Reads which explanation the caller asks for. */
export function readExplain(headers: Call["request"]["headers"]): Explain {
  const asked = headers[EXPLAIN_HEADER];
  return asked === "overlay" ? asked : asked !== undefined;
}

export type ScrapeRouteParts = {
  readonly scrape: Scrape;
  readonly scrapes: () => Promise<ScrapeStore>;
  readonly address: PublicAddress;
};

export function createScrapeHandlers({ scrape, scrapes, address }: ScrapeRouteParts): Handlers {
  /** Throws NOT_FOUND, and FORBIDDEN for a page of a host that the key may not fetch. */
  async function find(id: string, identity: Identity): Promise<StoredScrape> {
    const found = await (await scrapes()).load(id);
    if (found?.accountId !== identity.accountId)
      throw new RequestError("NOT_FOUND", "Job not found.");
    const { metadata } = (found.document ?? {}) as {
      readonly metadata?: { readonly url?: string };
    };
    for (const url of [found.requestedUrl, found.finalUrl, metadata?.url])
      assertPageReadable(identity, url);
    return found;
  }

  return {
    "POST /v2/scrape": async (call: Call<ScrapeOptions>) => {
      const { body, identity, request, signal } = call;
      const explain = readExplain(request.headers);
      const context = { identity, requestId: request.id, base: address(request, ""), signal };
      return await answerWithProgress(call, async (reading) => {
        const result = await scrape(body, { ...context, explain, reading });
        const more: Record<string, unknown> = { success: true };
        if (body.origin.includes("website")) more["scrape_id"] = result.scrapeId;
        if (result.explanation !== undefined) more["explanation"] = result.explanation;
        const data = result.json ?? toJsonBytes(result.document);
        return withMember(more, "data", data);
      });
    },

    "GET /v2/scrape/:id/request": async ({
      params,
      identity,
    }: Call<unknown, unknown, { id: string }>): Promise<StoredRequestResponse> => {
      const found = await find(params.id, identity);
      const { url: _, ...kept } = (found.options ?? {}) as Partial<ScrapeOptions>;
      const { options, omitted } = omitActionSecrets(kept);
      return {
        success: true,
        id: found.id,
        url: found.requestedUrl,
        options: { ...options },
        headerNames: [...found.headerNames],
        omitted: [...omitted],
        ...(found.explanation === null
          ? {}
          : { explanation: found.explanation as StoredRequestResponse["explanation"] }),
        createdAt: new Date(found.createdAt).toISOString(),
      };
    },

    "GET /v2/scrape/:id": async ({ params, identity }: Call<unknown, unknown, { id: string }>) => {
      const found = await find(params.id, identity);
      if (found.document === undefined)
        throw new RequestError(
          "NOT_FOUND",
          found.status === "failed"
            ? `The scrape of ${found.requestedUrl} failed and has no result: ${found.error?.message ?? "no reason was recorded"}`
            : describeGoneDocument(found.requestedUrl),
          { details: { status: found.status } },
        );
      return { success: true, data: found.document };
    },
  };
}
