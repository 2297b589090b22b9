// Opens a byte stream to a host through an upstream proxy: HTTP CONNECT (RFC 9110 section 9.3.6) or
// SOCKS5 (RFC 1928).
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { TargetError } from "../errors.ts";
import type { ResolvedAddress } from "./resolver.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";

export type TunnelTarget = {
  readonly hostname: string;
  readonly port: number;
  /** The checked address. */
  readonly address: ResolvedAddress;
};

/** Opens the stream, or throws TargetError SCRAPE_PROXY_SELECTION_ERROR with the proxy's answer. */
export async function openTunnel(
  proxy: UpstreamProxy,
  target: TunnelTarget,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = openProxySocket(proxy);
  const onAbort = (): void => void socket.destroy();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await waitUntilOpen(socket, proxy);
    await (proxy.protocol === "socks5:"
      ? askSocks(socket, proxy, target)
      : askHttp(socket, proxy, target));
    return socket;
  } catch (cause) {
    socket.destroy();
    if (cause instanceof TargetError) throw cause;
    throw createProxyError(proxy, "it could not be reached or dropped the connection", cause);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Connects to the proxy itself, with TLS if its URL says https. Its address is the operator's
 * choice.
 */
export function openProxySocket(proxy: UpstreamProxy): Socket {
  const { hostname: host, port } = proxy;
  if (proxy.protocol !== "https:") return connectTcp({ host, port, noDelay: true });
  return connectTls({
    host,
    port,
    ALPNProtocols: ["http/1.1"],
    ...(isIP(host) === 0 ? { servername: host } : {}),
  }).setNoDelay(true);
}

function waitUntilOpen(socket: Socket, proxy: UpstreamProxy): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(proxy.protocol === "https:" ? "secureConnect" : "connect", resolve);
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("closed")));
  return promise;
}

async function askHttp(socket: Socket, proxy: UpstreamProxy, target: TunnelTarget): Promise<void> {
  const authority = `${isIP(target.hostname) === 6 ? `[${target.hostname}]` : target.hostname}:${target.port}`;
  const credentials = proxy.credentials;
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n` +
      (credentials ? `Proxy-Authorization: ${credentials.getAuthorization()}\r\n` : "") +
      "\r\n",
  );
  const head = await readUntil(socket, (bytes) => {
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1 && bytes.length > 16_384)
      throw createProxyError(proxy, "its answer is not HTTP");
    return end === -1 ? undefined : end + 4;
  });
  const [line = ""] = head.toString("latin1").split("\r\n", 1);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1];
  if (status === undefined) throw createProxyError(proxy, "its answer is not HTTP");
  if (!status.startsWith("2"))
    throw createProxyError(proxy, `it answered ${line.slice(9, 100)} to a tunnel to ${authority}`);
}

const SOCKS_REPLIES = [
  "success",
  "general failure",
  "connection not allowed",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "time to live expired",
  "command not supported",
  "address type not supported",
];

async function askSocks(socket: Socket, proxy: UpstreamProxy, target: TunnelTarget): Promise<void> {
  const credentials = proxy.credentials;
  socket.write(credentials ? Buffer.of(5, 2, 0, 2) : Buffer.of(5, 1, 0));
  const [version, method] = await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
  if (version !== 5) throw createProxyError(proxy, "it does not speak SOCKS5");
  if (method === 2 && credentials) {
    const [name, password] = credentials.nameAndPassword();
    if (name.length > 255 || password.length > 255)
      throw createProxyError(proxy, "its name or password is longer than 255 bytes");
    socket.write(
      Buffer.concat([Buffer.of(1, name.length), name, Buffer.of(password.length), password]),
    );
    const answer = await readUntil(socket, (bytes) => (bytes.length < 2 ? undefined : 2));
    if (answer[1] !== 0) throw createProxyError(proxy, "it rejected the name and password");
  } else if (method !== 0) {
    throw createProxyError(proxy, "it requires a login that is not configured");
  }
  const port = Buffer.of(target.port >> 8, target.port & 255);
  socket.write(Buffer.concat([Buffer.of(5, 1, 0), buildSocksAddress(proxy, target), port]));
  const reply = await readUntil(socket, measureSocksReply);
  if (reply[1] !== 0)
    throw createProxyError(
      proxy,
      `it answered "${SOCKS_REPLIES[reply[1] ?? 1] ?? "an unknown error"}"`,
    );
}

function buildSocksAddress(proxy: UpstreamProxy, target: TunnelTarget): Buffer {
  const name = Buffer.from(target.hostname, "latin1");
  if (proxy.remoteNames && isIP(target.hostname) === 0 && name.length < 256)
    return Buffer.concat([Buffer.of(3, name.length), name]);
  return Buffer.concat([Buffer.of(target.address.family === 4 ? 1 : 4), target.address.bytes]);
}

function measureSocksReply(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined;
  const address = bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : 1 + (bytes[4] ?? 0);
  return bytes.length < 6 + address ? undefined : 6 + address;
}

/** Reads until `measure` knows the length of the answer; the rest stays in the socket. */
async function readUntil(
  socket: Socket,
  measure: (bytes: Buffer) => number | undefined,
): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const chunk: unknown = socket.read();
    if (chunk instanceof Buffer) bytes = Buffer.concat([bytes, chunk]);
    const length = measure(bytes);
    if (length !== undefined) {
      if (bytes.length > length) socket.unshift(bytes.subarray(length));
      return bytes.subarray(0, length);
    }
    if (chunk === null) await waitUntilReadable(socket);
  }
}

function waitUntilReadable(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const finish = (settle: () => void) => (): void => {
    socket.off("readable", onReadable).off("end", onEnd).off("close", onEnd).off("error", reject);
    settle();
  };
  const onReadable = finish(resolve);
  const onEnd = finish(() => reject(new Error("The proxy closed the connection.")));
  socket.on("readable", onReadable).on("end", onEnd).on("close", onEnd).on("error", reject);
  return promise;
}

/** SCRAPE_PROXY_SELECTION_ERROR naming the proxy, never its credentials. */
export function createProxyError(proxy: UpstreamProxy, what: string, cause?: unknown): TargetError {
  return new TargetError(
    "SCRAPE_PROXY_SELECTION_ERROR",
    `The upstream proxy ${proxy.label} failed: ${what}.`,
    { cause },
  );
}
