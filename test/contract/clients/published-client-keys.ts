// Compiles only while the contract describes every key that the published JavaScript client reads.
import type {
  AgentStatusResponse,
  BrandingProfile,
  BrowserExecuteResponse,
  Document,
  DocumentMetadata,
  Monitor,
  MonitorCheck,
  MonitorCheckPage,
} from "@mendable/firecrawl-js";
import type { z } from "zod";
import type { agentStatusResponseSchema } from "../../../src/contract/jobs/agent.ts";
import type { brandingSchema } from "../../../src/contract/page/branding.ts";
import type { documentSchema } from "../../../src/contract/page/document.ts";
import type { interactResponseSchema } from "../../../src/contract/session/interact.ts";
import type { metadataSchema } from "../../../src/contract/page/metadata.ts";
import type {
  monitorCheckSchema,
  monitorPageSchema,
  monitorSchema,
} from "../../../src/contract/jobs/monitor-report.ts";

/** Explicit keys of a type, without index signatures. */
type KnownKeys<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};
type MissingKeys<Read, S extends z.ZodObject> = Exclude<KnownKeys<Read>, keyof S["shape"]>;
type None<T extends never> = T;

/** Fails to compile when the client reads a key that the contract does not describe. */
export type CheckedKeys = [
  None<MissingKeys<Document, typeof documentSchema>>,
  None<MissingKeys<DocumentMetadata, typeof metadataSchema>>,
  None<MissingKeys<BrandingProfile, typeof brandingSchema>>,
  None<MissingKeys<AgentStatusResponse, typeof agentStatusResponseSchema>>,
  None<MissingKeys<BrowserExecuteResponse, typeof interactResponseSchema>>,
  None<MissingKeys<Monitor, typeof monitorSchema>>,
  None<MissingKeys<MonitorCheck, typeof monitorCheckSchema>>,
  None<MissingKeys<MonitorCheckPage, typeof monitorPageSchema>>,
];
