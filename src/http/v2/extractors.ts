// Stored extractors: create, list, change, run and test.
import type {
  ChangeExtractor,
  CreateExtractor,
  RunExtractor,
  TestExtractor,
} from "../../contract/extractors/extractor.ts";
import type { ExtractionCaller } from "../../stored-extractors/fetch-pages.ts";
import type { ExtractorUpdate, Extractors } from "../../stored-extractors/extractors.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";

export type ExtractorRouteParts = {
  readonly extractors: Extractors;
  readonly address: PublicAddress;
};

type Id = { readonly id: string };
type ListQuery = { readonly limit?: number; readonly cursor?: string };

export function createExtractorHandlers({ extractors, address }: ExtractorRouteParts): Handlers {
  const toCaller = ({ identity, request, signal }: Call): ExtractionCaller => ({
    identity,
    requestId: request.id,
    base: address(request, ""),
    signal,
  });
  return {
    "POST /v2/extractors": async (call: Call<CreateExtractor>) =>
      toBody(await extractors.create(call.body, toCaller(call))),
    "GET /v2/extractors": async ({ identity, query }: Call<unknown, ListQuery>) => ({
      success: true,
      ...(await extractors.list(identity, query)),
    }),
    "GET /v2/extractors/:id": async ({ identity, params }: Call<unknown, unknown, Id>) => ({
      success: true,
      data: await extractors.find(params.id, identity),
    }),
    "PATCH /v2/extractors/:id": async (call: Call<ChangeExtractor, unknown, Id>) =>
      toBody(await extractors.updateExtractor(call.params.id, call.body, toCaller(call))),
    "DELETE /v2/extractors/:id": async ({ identity, params }: Call<unknown, unknown, Id>) => {
      await extractors.remove(params.id, identity);
      return { success: true };
    },
    "POST /v2/extractors/:id/run": async (call: Call<RunExtractor, unknown, Id>) => ({
      success: true,
      ...(await extractors.run(call.params.id, call.body, toCaller(call))),
    }),
    "POST /v2/extractors/:id/test": async (call: Call<TestExtractor, unknown, Id>) => ({
      success: true,
      ...(await extractors.test(call.params.id, call.body, toCaller(call))),
    }),
  };
}

const toBody = ({ extractor, creditsUsed, warnings }: ExtractorUpdate) => ({
  success: true,
  data: extractor,
  creditsUsed,
  ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") }),
});
