// What this server can do, and why not where it cannot: one list for GET /v2/capabilities, for the 501 answers, and
// for the lines printed at the start.
import {
  CAPABILITIES,
  type CapabilitiesResponse,
  type Capability,
} from "../contract/capabilities.ts";
import { PLAIN_FORMATS } from "../contract/formats.ts";
import { UNAVAILABLE_FORMATS, whyUnavailable } from "../formats/unavailable.ts";

const NOT_YET = "This version of the server does not have it yet.";
const NEEDS_BROWSER =
  "It needs a browser engine, which this version of the server does not have yet.";
const NEEDS_MODEL =
  "It needs a language model or its deterministic stand-in, which this version of the server does not have yet.";

/** Why a capability is missing; what is not listed exists. */
export const MISSING_CAPABILITIES: Readonly<Partial<Record<Capability, string>>> = {
  crawl: NOT_YET,
  crawlPreview: NEEDS_MODEL,
  map: NOT_YET,
  batch: NOT_YET,
  search: NOT_YET,
  interact: NEEDS_BROWSER,
  browser: NEEDS_BROWSER,
  agent: NEEDS_MODEL,
  extract: NEEDS_MODEL,
  parse: NOT_YET,
  monitor: NOT_YET,
  feedback: NOT_YET,
};

const BROWSER_ACTIONS = [
  "wait",
  "click",
  "write",
  "press",
  "scroll",
  "screenshot",
  "scrape",
  "executeJavascript",
  "pdf",
];

const FORMAT_NAMES = [
  ...new Set([
    ...PLAIN_FORMATS,
    "attributes" as const,
    ...(Object.keys(UNAVAILABLE_FORMATS) as (keyof typeof UNAVAILABLE_FORMATS)[]),
  ]),
];

export type Circumstances = {
  readonly version: string;
  readonly basicProxies: number;
  readonly enhancedProxies: number;
};

type Support = { available: boolean; reason?: string };

const yes: Support = { available: true };
const no = (reason: string): Support => ({ available: false, reason });

export function describeCapabilities(circumstances: Circumstances): CapabilitiesResponse {
  return {
    success: true,
    version: circumstances.version,
    capabilities: Object.fromEntries(
      CAPABILITIES.map((name) => [name, supportOf(MISSING_CAPABILITIES[name])]),
    ),
    formats: Object.fromEntries(
      FORMAT_NAMES.map((name) => [name, supportOf(whyUnavailable(name))]),
    ),
    actions: Object.fromEntries(BROWSER_ACTIONS.map((name) => [name, no(NEEDS_BROWSER)])),
    options: {
      waitFor: no(`${NEEDS_BROWSER} It is accepted and answered with a warning.`),
      mobile: no(`${NEEDS_BROWSER} It is accepted and answered with a warning.`),
      profile: no(NEEDS_BROWSER),
      "proxy.basic": yes,
      "proxy.enhanced":
        circumstances.enhancedProxies > 0
          ? yes
          : no("QUARRY_PROXY_ENHANCED names no upstream proxy."),
      "location.country":
        circumstances.basicProxies + circumstances.enhancedProxies > 0
          ? yes
          : no("No upstream proxy is configured."),
      "location.languages": yes,
      "parsers.pdf": no(
        "PDFs are returned as base64 with an empty parsers array; turning them into text is not part of this version.",
      ),
      redactPII: no(NEEDS_MODEL),
      onlyCleanContent: no(NEEDS_MODEL),
      lockdown: yes,
      zeroDataRetention: yes,
    },
  };
}

function supportOf(reason: string | undefined): Support {
  return reason === undefined ? yes : no(reason);
}
