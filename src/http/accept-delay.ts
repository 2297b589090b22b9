import { connect, type AddressInfo, type Socket } from "node:net";
import type { Server } from "node:http";
import type { Metrics } from "../metrics.ts";

const INTERVAL_MS = 5_000;
/** Loopback address for a server that listens on all addresses. */
const LOOPBACK: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * Measures how long new connections wait to be accepted, which request times do not show: it
 * connects to itself periodically. The system completes the connection at once, so the time until
 * `server` gets it is the wait. Returns a function that stops it.
 */
export function measureAcceptDelay(
  server: Server,
  metrics: Pick<Metrics, "acceptSeconds">,
  everyMs = INTERVAL_MS,
): () => void {
  /** When connections were accepted during a measurement, by remote port. */
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
    // The previous probe may still wait.
    if (isEnded || place === null || probe !== undefined) return;
    startedAt = performance.now();
    probe = connect({ port: place.port, host: LOOPBACK[place.address] ?? place.address });
    probe.unref().on("connect", settle).on("error", end);
    server.on("connection", settle);
  };

  // A connection from a timer would be accepted next, because timers run right before I/O polling.
  // From setImmediate a whole turn comes first, as for a connection that arrives at its start.
  const timer = setInterval(() => setImmediate(start), everyMs).unref();

  server.on("connection", onConnection);
  return () => {
    isEnded = true;
    clearInterval(timer);
    end();
    server.off("connection", onConnection);
  };
}
