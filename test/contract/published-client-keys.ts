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
import type { agentStatusResponseSchema } from "../../src/contract/jobs/agent.ts";
import type { brandingSchema } from "../../src/contract/page/branding.ts";
import type { documentSchema } from "../../src/contract/page/document.ts";
import type { interactResponseSchema } from "../../src/contract/session/interact.ts";
import type { metadataSchema } from "../../src/contract/page/metadata.ts";
import type {
  monitorCheckSchema,
  monitorPageSchema,
  monitorSchema,
} from "../../src/contract/jobs/monitor-report.ts";

/** Explicit keys of a type, without index signatures. */
type Known<T> = keyof {
  [K in keyof T as string extends K ? never : number extends K ? never : K]: T[K];
};
type Missing<Read, S extends z.ZodObject> = Exclude<Known<Read>, keyof S["shape"]>;
type None<T extends never> = T;

/** Fails to compile when the client reads a key that the contract does not describe. */
export type Checked = [
  None<Missing<Document, typeof documentSchema>>,
  None<Missing<DocumentMetadata, typeof metadataSchema>>,
  None<Missing<BrandingProfile, typeof brandingSchema>>,
  None<Missing<AgentStatusResponse, typeof agentStatusResponseSchema>>,
  None<Missing<BrowserExecuteResponse, typeof interactResponseSchema>>,
  None<Missing<Monitor, typeof monitorSchema>>,
  None<Missing<MonitorCheck, typeof monitorCheckSchema>>,
  None<Missing<MonitorCheckPage, typeof monitorPageSchema>>,
];
