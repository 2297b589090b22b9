// Routes of stored extractors.
import {
  changeExtractorRequestSchema,
  createExtractorRequestSchema,
  extractorDeletedResponseSchema,
  extractorListQuerySchema,
  extractorListResponseSchema,
  extractorParamsSchema,
  extractorResponseSchema,
  runExtractorRequestSchema,
  runExtractorResponseSchema,
  testExtractorRequestSchema,
  testExtractorResponseSchema,
} from "../extractors/extractor.ts";
import type { Endpoint } from "./endpoint.ts";

const extractors = { tag: "Extractors", capability: "extractors" } as const;
const one = { ...extractors, params: extractorParamsSchema } as const;

export const EXTRACTOR_ENDPOINTS: readonly Endpoint[] = [
  {
    ...extractors,
    method: "POST",
    path: "/v2/extractors",
    summary: "Make an extractor from examples, pages or a program.",
    body: createExtractorRequestSchema,
    example: {
      name: "products",
      examples: [
        {
          url: "https://example.com/p/fjell-jacket",
          data: { name: "Fjell Jacket", price: "$184.00" },
        },
      ],
    },
    response: extractorResponseSchema,
  },
  {
    ...extractors,
    method: "GET",
    path: "/v2/extractors",
    summary: "List extractors, newest first.",
    query: extractorListQuerySchema,
    response: extractorListResponseSchema,
  },
  {
    ...one,
    method: "GET",
    path: "/v2/extractors/:id",
    summary: "Read one extractor with its program and its health.",
    response: extractorResponseSchema,
  },
  {
    ...one,
    method: "PATCH",
    path: "/v2/extractors/:id",
    summary: "Change an extractor, or learn it again.",
    body: changeExtractorRequestSchema,
    example: { relearn: true },
    response: extractorResponseSchema,
  },
  {
    ...one,
    method: "DELETE",
    path: "/v2/extractors/:id",
    summary: "Delete an extractor.",
    response: extractorDeletedResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/extractors/:id/run",
    summary: "Get the data of pages with an extractor.",
    body: runExtractorRequestSchema,
    example: { urls: ["https://example.com/p/skarv-anorak"] },
    response: runExtractorResponseSchema,
  },
  {
    ...one,
    method: "POST",
    path: "/v2/extractors/:id/test",
    summary: "Compare what an extractor gives with what is expected.",
    body: testExtractorRequestSchema,
    example: {
      examples: [
        {
          url: "https://example.com/p/skarv-anorak",
          data: { name: "Skarv Anorak", price: "$129.00" },
        },
      ],
    },
    response: testExtractorResponseSchema,
  },
];
