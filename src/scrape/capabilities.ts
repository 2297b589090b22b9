// Capabilities of this server, with reasons for missing ones. The single list for GET
// /v2/capabilities, the 501 responses, and the startup log.
import {
  CAPABILITIES,
  type CapabilitiesResponse,
  type Capability,
} from "../contract/account/capabilities.ts";
import { FORMATS } from "../formats/index.ts";

const SEE = "GET /v2/capabilities lists what is";
const describeAbsent = (name: string): string =>
  `${name} is not supported by this version of the server; ${SEE}.`;
/** Options that are recognized but not available. */
export const ABSENT_OPTIONS = {
  redactPII: describeAbsent("redactPII"),
  onlyCleanContent: describeAbsent("onlyCleanContent"),
};
const needsBrowser = (name: string, reason: string): string => `${name} needs a browser. ${reason}`;

/** Why a capability is missing; capabilities not listed exist. */
const MISSING_CAPABILITIES: Readonly<Partial<Record<Capability, string>>> = {
  feedback: describeAbsent("feedback"),
};

/** Missing in a process that only works on jobs. */
const WORKER_CAPABILITIES: Readonly<Partial<Record<Capability, string>>> = Object.fromEntries(
  CAPABILITIES.map((name) => [
    name,
    "This process only works on jobs (QUARRY_ROLE=worker); send requests to one with the role api or all.",
  ]),
);

/** Missing in a process without a store, such as a command that scrapes once. */
export const NO_STORAGE_MESSAGE =
  "This process stores nothing; start the server (quarry serve) to use stored data.";

/** Capabilities of a process without a store. */
const WITHOUT_STORE: ReadonlySet<Capability> = new Set<Capability>([
  "scrape",
  "parse",
  "feedback",
  "capabilities",
]);
const KEEPING = CAPABILITIES.filter((name) => !WITHOUT_STORE.has(name));

/** Why capabilities are missing in this process; capabilities not listed exist. */
export function findMissingCapabilities(process: {
  /** True if it answers requests (QUARRY_ROLE). */
  readonly isApi: boolean;
  /** True if it has a store. */
  readonly keeps: boolean;
  /** Why it has no browser; undefined when it has one. */
  readonly withoutBrowser?: string | undefined;
}): Readonly<Partial<Record<Capability, string>>> {
  const { isApi, keeps, withoutBrowser } = process;
  if (!isApi) return WORKER_CAPABILITIES;
  const inBrowser: readonly Capability[] =
    withoutBrowser === undefined ? [] : ["interact", "browser"];
  return {
    ...MISSING_CAPABILITIES,
    ...Object.fromEntries(
      inBrowser.map((name) => [
        name,
        needsBrowser(name === "browser" ? "a session" : name, withoutBrowser ?? ""),
      ]),
    ),
    ...(keeps ? {} : Object.fromEntries(KEEPING.map((name) => [name, NO_STORAGE_MESSAGE]))),
  };
}

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

/** `kind` names the source of Chromium. Without a reason it is usable. */
export type BrowserSituation = {
  readonly kind?: "setting" | "headless-shell" | "bundled" | "full" | undefined;
  readonly reason?: string | undefined;
};

export type Circumstances = {
  readonly version: string;
  readonly missing: Readonly<Partial<Record<Capability, string>>>;
  /** The current state of the browser. */
  readonly browser: BrowserSituation;
  readonly basicProxies: number;
  readonly enhancedProxies: number;
};

const BROWSER_ALONE =
  "Partly: no upstream proxy is configured (QUARRY_PROXY_ENHANCED), so the browser hides automation but uses this server's own address.";

type Support = { available: boolean; reason?: string };

const SUPPORTED: Support = { available: true };
const denySupport = (reason: string): Support => ({ available: false, reason });

export function describeCapabilities(circumstances: Circumstances): CapabilitiesResponse {
  const { missing } = circumstances;
  const { kind, reason } = circumstances.browser;
  const requireBrowser = (name: string, without = ""): Support =>
    reason === undefined ? SUPPORTED : denySupport(`${needsBrowser(name, reason)}${without}`);
  const ignored = " It is accepted and answered with a warning.";
  return {
    success: true,
    version: circumstances.version,
    capabilities: Object.fromEntries(
      CAPABILITIES.map((name) => [name, toSupport(circumstances.missing[name])]),
    ),
    formats: Object.fromEntries(
      FORMATS.map(({ name, needs, unavailable }) => [
        name,
        needs.includes("browser")
          ? requireBrowser(name)
          : // Change tracking compares with stored pages, as crawls do.
            toSupport(unavailable ?? (needs.includes("history") ? missing.crawl : undefined)),
      ]),
    ),
    browser: { ...toSupport(reason), ...(kind === undefined ? {} : { kind }) },
    actions: Object.fromEntries(BROWSER_ACTIONS.map((name) => [name, requireBrowser(name)])),
    options: {
      waitFor: requireBrowser("waitFor", ignored),
      scroll: requireBrowser("scroll", ignored),
      mobile: requireBrowser("mobile", ignored),
      profile: requireBrowser("profile"),
      "proxy.basic": SUPPORTED,
      "proxy.enhanced":
        circumstances.enhancedProxies > 0
          ? SUPPORTED
          : reason === undefined
            ? { available: true, reason: BROWSER_ALONE }
            : denySupport(
                "No upstream proxy is configured (QUARRY_PROXY_ENHANCED), and there is no browser.",
              ),
      "location.country":
        circumstances.basicProxies + circumstances.enhancedProxies > 0
          ? SUPPORTED
          : denySupport("No upstream proxy is configured."),
      "location.languages": SUPPORTED,
      "parsers.pdf": SUPPORTED,
      "parsers.image": SUPPORTED,
      redactPII: denySupport(ABSENT_OPTIONS.redactPII),
      onlyCleanContent: denySupport(ABSENT_OPTIONS.onlyCleanContent),
      lockdown: SUPPORTED,
      zeroDataRetention: SUPPORTED,
    },
  };
}

function toSupport(reason: string | undefined): Support {
  return reason === undefined ? SUPPORTED : denySupport(reason);
}
