// Rejects settings of a monitor that its checks could not use.
import { assertHostAllowed } from "../account/allow-hosts.ts";
import type { Identity } from "../account/identity.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { checkFixedHost } from "../egress/fixed-host.ts";
import { RequestError } from "../errors.ts";
import { isSelector } from "../html/select/selector.ts";
import { parseJsonPath } from "./json-path.ts";
import { NO_MAIL } from "./notice-deliverer.ts";
import { listChannels } from "./notices.ts";
import type { MonitorSettings, Target } from "./settings.ts";

/** Throws BAD_REQUEST for selectors and JSON paths that cannot be read. */
export function assertTargets(targets: readonly Target[]): void {
  for (const [index, target] of targets.entries()) {
    for (const [field, options] of listSelectorFields(target))
      for (const name of ["includeTags", "excludeTags"] as const)
        for (const [at, selector] of options[name].entries())
          if (!isSelector(selector))
            refuse(`targets[${index}].${field}.${name}[${at}]`, selector, "is not a CSS selector");
    const paths = "scope" in target ? (target.scope?.jsonPaths ?? []) : [];
    for (const [at, path] of paths.entries())
      if (parseJsonPath(path) === undefined)
        refuse(
          `targets[${index}].scope.jsonPaths[${at}]`,
          path,
          "is not a JSON path of names, indexes, slices and wildcards; filters are not supported",
        );
  }
}

function refuse(field: string, value: string, fault: string): never {
  throw new RequestError("BAD_REQUEST", `${field}: ${JSON.stringify(value)} ${fault}`);
}

type Selectors = {
  readonly includeTags: readonly string[];
  readonly excludeTags: readonly string[];
};

function listSelectorFields(target: Target): (readonly [string, Selectors])[] {
  if (target.type !== "scrape" && target.type !== "crawl") return [];
  const ofCrawl = target.type === "crawl" ? target.crawlOptions?.scrapeOptions : undefined;
  return [
    ...(target.scrapeOptions === undefined
      ? []
      : [["scrapeOptions", target.scrapeOptions] as const]),
    ...(ofCrawl === undefined ? [] : [["crawlOptions.scrapeOptions", ofCrawl] as const]),
  ];
}

/** Throws for hosts that the key may not fetch, and for channels that this server cannot reach. */
export async function assertReachable(
  server: { readonly egress: Pick<Egress, "check">; readonly hasMail: boolean },
  settings: MonitorSettings,
  identity: Identity,
): Promise<void> {
  for (const target of settings.targets)
    for (const url of "urls" in target ? target.urls : "url" in target ? [target.url] : [])
      assertHostAllowed(identity, new URL(url));
  const addresses = [
    ...(settings.webhook === null ? [] : [["webhook.url", settings.webhook.url] as const]),
    ...settings.channels.flatMap((channel, index) =>
      channel.type === "email" ? [] : [[`channels[${index}].url`, channel.url] as const],
    ),
  ];
  for (const [field, url] of addresses) await checkAddress(field, url, server.egress);
  if (!server.hasMail && listChannels(settings).some(({ type }) => type === "email"))
    throw new RequestError("BAD_REQUEST", `notification: ${NO_MAIL}`);
}

async function checkAddress(
  field: string,
  url: string,
  egress: Pick<Egress, "check">,
): Promise<void> {
  try {
    await checkFixedHost(new URL(url), egress);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new RequestError("BAD_REQUEST", `${field}: ${error.message}`, { cause: error });
  }
}
