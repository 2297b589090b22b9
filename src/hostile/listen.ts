import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Listens on a free port of the address; resolves to the port. */
export async function listenOn(server: Server, address: string): Promise<number> {
  server.listen(0, address);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
