import { connect, type AddressInfo, type Socket } from "node:net";
import type { Server } from "node:http";
import type { Metrics } from "../metrics.ts";

const EVERY_MS = 5_000;
/** Where a server that listens on all addresses is reached from its own machine. */
const LOOPBACK: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * Measures how long new connections wait until the server accepts them, which no request's own time shows: now and then it
 * connects to itself. The system completes the connection at once, so the time until `server` has it is the wait. Returns
 * what ends that.
 */
export function measureAcceptDelay(
  server: Server,
  metrics: Pick<Metrics, "acceptSeconds">,
  everyMs = EVERY_MS,
): () => void {
  /** When connections that came during a measurement were accepted, by their port at the other end. */
  const acceptedAt = new Map<number, number>();
  let probe: Socket | undefined;

  const onConnection = (socket: Socket): void => {
    if (probe !== undefined && socket.remotePort !== undefined)
      acceptedAt.set(socket.remotePort, performance.now());
  };

  const end = (): void => {
    probe?.destroy();
    probe = undefined;
    acceptedAt.clear();
    server.off("connection", settle);
  };

  let startedAt = 0;
  let isEnded = false;
  function settle(): void {
    const at = acceptedAt.get(probe?.localPort ?? 0);
    if (at === undefined) return;
    metrics.acceptSeconds.observe((at - startedAt) / 1_000);
    end();
  }

  const start = (): void => {
    const place = server.address() as AddressInfo | null;
    // The one before may still wait.
    if (isEnded || place === null || probe !== undefined) return;
    startedAt = performance.now();
    probe = connect({ port: place.port, host: LOOPBACK[place.address] ?? place.address });
    probe.unref().on("connect", settle).on("error", end);
    server.on("connection", settle);
  };

  // From a timer itself it would be accepted next: timers run right before the event loop looks for I/O. From here a whole
  // turn comes first, as for a connection that comes at its beginning.
  const timer = setInterval(() => setImmediate(start), everyMs).unref();

  server.on("connection", onConnection);
  return () => {
    isEnded = true;
    clearInterval(timer);
    end();
    server.off("connection", onConnection);
  };
}
