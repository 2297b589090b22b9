// All plain HTTP that leaves the machine: pools of guarded connections, one set per TLS mode and
// upstream proxy.
import type { Socket } from "node:net";
import { Agent, type Dispatcher } from "undici";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import { createConnector } from "./connector.ts";
import { createGate, type EgressExplanation } from "./gate.ts";
import { createEgressPolicy } from "./policy.ts";
import { OwnEndpoints } from "./own-endpoints.ts";
import { createResolver, type Lookup, type ResolvedAddress } from "./resolver.ts";
import { openProxySocket, createProxyError } from "./tunnel.ts";
import {
  createProxySelection,
  parseUpstreamProxy,
  type ProxyTier,
  type UpstreamProxy,
} from "./upstream-proxy.ts";

export type RouteOptions = {
  readonly verifyTls: boolean;
  readonly proxy?: UpstreamProxy | undefined;
};

/** Route of one request: pass `origin`, `path` and the extra `headers` to the dispatcher. */
export type Route = {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type Egress = AsyncDisposable & {
  /**
   * Returns the route for an http or https URL. The connection checks with the gate, or with a
   * proxy this call.
   */
  route(url: URL, options: RouteOptions): Route | Promise<Route>;
  /**
   * Opens a guarded connection without TLS, through the upstream proxy if given; the caller closes
   * it.
   */
  connect(hostname: string, port: number, proxy: UpstreamProxy | undefined): Promise<Socket>;
  /**
   * Reason why the unverified certificate of the URL's host was invalid; undefined when it was
   * valid.
   */
  getTlsFault(url: URL, options: RouteOptions): string | undefined;
  /** The checked addresses of a host; see Gate. */
  check(hostname: string, port: number): Promise<readonly ResolvedAddress[]>;
  /** Dry run of the policy for a host and port. */
  explain(hostname: string, port: number): Promise<EgressExplanation>;
  /**
   * Returns the next upstream proxy of the tier; undefined when none is configured. May throw
   * SCRAPE_PROXY_SELECTION_ERROR.
   */
  selectProxy(tier: ProxyTier, country?: string): UpstreamProxy | undefined;
  /** True if an upstream proxy of the tier is configured; with a country, one tagged with it. */
  hasProxy(tier: ProxyTier, country?: string): boolean;
  /** Addresses this process listens on; requests to them are refused. */
  readonly own: OwnEndpoints;
  close(): Promise<void>;
};

type EgressParts = {
  readonly metrics: Metrics;
  /** Replaces the system's name lookup. */
  readonly lookup?: Lookup;
  readonly connectTimeoutMs?: number;
};

/** Creates the egress from the configuration: policy, resolver and pools. The creator closes it. */
export function createEgress(
  config: Pick<Config, "egressAllow" | "egressMetadata" | "proxyBasic" | "proxyEnhanced"> &
    Partial<Pick<Config, "publicUrl">>,
  parts: EgressParts,
): Egress {
  const policy = createEgressPolicy({
    allow: config.egressAllow,
    allowMetadata: config.egressMetadata,
  });
  const own = new OwnEndpoints(config.publicUrl);
  const gate = createGate(policy, createResolver({ lookup: parts.lookup }), parts.metrics, own);
  const timeoutMs = parts.connectTimeoutMs ?? 10_000;
  const pools = new Map<string, Pools>();
  const proxies = {
    basic: config.proxyBasic.map((text) => parseUpstreamProxy(text, "QUARRY_PROXY_BASIC")),
    enhanced: config.proxyEnhanced.map((text) => parseUpstreamProxy(text, "QUARRY_PROXY_ENHANCED")),
  };
  const select = {
    basic: createProxySelection(proxies.basic),
    enhanced: createProxySelection(proxies.enhanced),
  };

  const getPools = ({ verifyTls, proxy }: RouteOptions): Pools => {
    const key = proxy === undefined ? `direct ${verifyTls}` : `${buildPoolKey(proxy)} ${verifyTls}`;
    let found = pools.get(key);
    if (found === undefined) {
      const tlsFaults = new Map<string, string>();
      const connect = createConnector({ gate, verifyTls, proxy, timeoutMs, tlsFaults });
      found = { agent: new Agent({ ...AGENT_OPTIONS, connect }), forward: undefined, tlsFaults };
      pools.set(key, found);
    }
    return found;
  };

  const close = async (): Promise<void> => {
    const agents = [...pools.values()].flatMap(({ agent, forward }) =>
      forward ? [agent, forward] : [agent],
    );
    pools.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  };

  return {
    route(url, options) {
      const { proxy } = options;
      const found = getPools(options);
      const path = url.pathname + url.search;
      if (proxy === undefined)
        return { dispatcher: found.agent, origin: url.origin, path, headers: {} };
      return gate.check(url.hostname, readPort(url)).then(() => {
        if (url.protocol === "https:" || proxy.protocol === "socks5:")
          return { dispatcher: found.agent, origin: url.origin, path, headers: {} };
        // Plain http uses absolute form (RFC 9112 section 3.2.2): many HTTP proxies refuse tunnels
        // to port 80.
        found.forward ??= createForwardAgent(proxy);
        const headers: Record<string, string> = { host: url.host };
        if (proxy.credentials)
          headers["proxy-authorization"] = proxy.credentials.getAuthorization();
        const origin = `http://${proxy.hostname.includes(":") ? `[${proxy.hostname}]` : proxy.hostname}:${proxy.port}`;
        return { dispatcher: found.forward, origin, path: url.origin + path, headers };
      });
    },
    connect(hostname, port, proxy) {
      const open = createConnector({
        gate,
        verifyTls: false,
        proxy,
        timeoutMs,
        tlsFaults: NO_FAULTS,
      });
      const { promise, resolve, reject } = Promise.withResolvers<Socket>();
      open({ hostname, port: String(port), protocol: "http:" }, (error, socket) =>
        error === null ? resolve(socket) : reject(error),
      );
      return promise;
    },
    getTlsFault(url, options) {
      if (options.verifyTls || url.protocol !== "https:") return undefined;
      const hostname = url.hostname.replace(/^\[|\]$/g, "");
      return getPools(options).tlsFaults.get(`${hostname}:${readPort(url)}`);
    },
    check: gate.check,
    explain: gate.explain,
    selectProxy: (tier, country) => select[tier](country),
    hasProxy: (tier, country) =>
      proxies[tier].some(
        (proxy) => country === undefined || proxy.country === country.toLowerCase(),
      ),
    own,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Pools = {
  readonly agent: Agent;
  forward: Agent | undefined;
  readonly tlsFaults: Map<string, string>;
};

/** The deadline limits the time, so the pool's own timeouts are off. */
const AGENT_OPTIONS: Agent.Options = {
  allowH2: true,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 10_000,
  keepAliveMaxTimeout: 60_000,
  maxHeaderSize: 131_072,
};

/** Without TLS there are no certificate faults. */
const NO_FAULTS = new Map<string, string>();

const readPort = (url: URL): number =>
  url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);

const buildPoolKey = (proxy: UpstreamProxy): string =>
  `${proxy.label} ${proxy.credentials?.getAuthorization() ?? ""}`;

function createForwardAgent(proxy: UpstreamProxy): Agent {
  return new Agent({
    ...AGENT_OPTIONS,
    allowH2: false,
    connect: (_asked, callback) => {
      const socket = openProxySocket(proxy);
      const fail = (error: Error): void =>
        callback(createProxyError(proxy, "it could not be reached", error), null);
      socket.once("error", fail);
      socket.once(proxy.protocol === "https:" ? "secureConnect" : "connect", () => {
        socket.off("error", fail);
        callback(null, socket);
      });
    },
  });
}
