// The `connect` of every pool: checks with the gate, then connects only to a checked address. A
// lookup hook alone would miss IP literals, which sockets never look up.
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { constants } from "node:crypto";
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { buildConnector } from "undici";
import { TargetError } from "../errors.ts";
import { withSpan } from "../telemetry/tracing.ts";
import type { Gate } from "./gate.ts";
import type { ResolvedAddress } from "./resolver.ts";
import { openTunnel } from "./tunnel.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";

export type ConnectorOptions = {
  readonly gate: Gate;
  readonly verifyTls: boolean;
  readonly proxy: UpstreamProxy | undefined;
  readonly timeoutMs: number;
  /** Records unverified certificates that would have failed: "host:port" -> reason. */
  readonly tlsFaults: Map<string, string>;
};

const MAX_REMEMBERED = 1_000;

/**
 * Creates the function that opens guarded connections for an undici pool. Errors of the gate are
 * passed on unchanged.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { gate, verifyTls, proxy, timeoutMs, tlsFaults } = options;
  const secureContext = createLazySecureContext(verifyTls);
  const sessions = new Map<string, Buffer>();

  const open = async (asked: buildConnector.Options & { allowH2?: boolean }): Promise<Socket> => {
    const secure = asked.protocol === "https:";
    const port = asked.port === "" ? (secure ? 443 : 80) : Number(asked.port);
    const hostname = asked.hostname.replace(/^\[|\]$/g, "");
    const addresses = await gate.check(hostname, port);
    const signal = AbortSignal.timeout(timeoutMs);
    const tunnel =
      proxy && (await openTunnel(proxy, { hostname, port, address: getFirst(addresses) }, signal));
    if (!secure)
      return waitUntilSettled(tunnel ?? connectPlain(hostname, port, addresses), signal, hostname);

    const key = `${hostname}:${port}`;
    const session = sessions.get(key);
    const socket = connectTls({
      ...(tunnel
        ? { socket: tunnel, host: hostname }
        : buildDestination(hostname, port, addresses)),
      ...(isIP(hostname) === 0 ? { servername: hostname.replace(/\.$/, "") } : {}),
      ...(session ? { session } : {}),
      ALPNProtocols: asked.allowH2 === false ? ["http/1.1"] : ["h2", "http/1.1"],
      rejectUnauthorized: verifyTls,
      secureContext: secureContext(),
    });
    socket.on("session", (ticket) => setBounded(sessions, key, ticket));
    await waitUntilSettled(socket, signal, hostname);
    rememberFault(socket, key, tlsFaults);
    return socket;
  };

  return (asked, callback) => {
    const about = { "server.address": asked.hostname, "quarry.proxied": proxy !== undefined };
    withSpan("connect", about, () => open(asked)).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

const connectPlain = (hostname: string, port: number, addresses: readonly ResolvedAddress[]) =>
  connectTcp(buildDestination(hostname, port, addresses));

/** Connection options that allow only the checked addresses, whichever answers first (RFC 8305). */
function buildDestination(hostname: string, port: number, addresses: readonly ResolvedAddress[]) {
  const lookup: LookupFunction = (_name, { all }, callback) => {
    if (all)
      callback(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, getFirst(addresses).address, getFirst(addresses).family);
  };
  const single = addresses.length === 1;
  return {
    host: single ? getFirst(addresses).address : hostname,
    port,
    lookup,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: !single,
    autoSelectFamilyAttemptTimeout: 500,
  };
}

function getFirst(addresses: readonly ResolvedAddress[]): ResolvedAddress {
  const [address] = addresses;
  if (address === undefined) throw new Error("the gate returned no address");
  return address;
}

/** Waits for the handshake and removes its listeners, because the pool adds its own. */
function waitUntilSettled(socket: Socket, signal: AbortSignal, hostname: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const ready = "authorized" in socket ? "secureConnect" : "connect";
  if (ready === "connect" && !socket.connecting) return Promise.resolve(socket);
  const onTimeout = (): void => {
    socket.destroy();
    const text = `${hostname} did not accept a connection in time.`;
    reject(new TargetError("SCRAPE_SITE_ERROR", text, { cause: signal.reason }));
  };
  const onClose = (): void => reject(new Error("closed before the connection was ready"));
  const release = (): void => {
    signal.removeEventListener("abort", onTimeout);
    socket.off(ready, resolveSocket).off("close", onClose);
  };
  const resolveSocket = (): void => resolve(socket);
  signal.addEventListener("abort", onTimeout, { once: true });
  socket.once(ready, resolveSocket).once("close", onClose).once("error", reject);
  return promise.finally(release);
}

function rememberFault(socket: TLSSocket, key: string, tlsFaults: Map<string, string>): void {
  if (socket.isSessionReused()) return; // a resumed session does not check the certificate again
  if (socket.authorized) tlsFaults.delete(key);
  else setBounded(tlsFaults, key, String(socket.authorizationError));
}

function setBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

/**
 * One context for all connections, created lazily: loading the root certificates takes
 * milliseconds.
 */
function createLazySecureContext(verifyTls: boolean): () => SecureContext {
  let context: SecureContext | undefined;
  return () =>
    (context ??= createSecureContext(
      verifyTls
        ? {}
        : {
            // Without verification old servers should work too.
            ciphers: "DEFAULT@SECLEVEL=0",
            minVersion: "TLSv1",
            secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
          },
    ));
}
