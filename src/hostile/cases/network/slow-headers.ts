// A header line a second: the answer never begins, and timeouts for bodies do not apply.
import { endlessAnswer, scrapeSlowly } from "../../families/slow-body.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const slowHeaders: HostileCase = {
  ...endlessAnswer,
  name: "slow-headers",
  attack: "A page sends one header line a second.",
  run: (context) =>
    scrapeSlowly(context, (_request, response) => {
      const { socket } = response;
      socket?.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n");
      const timer = setInterval(() => socket?.write(`X-Drip-${Date.now()}: 1\r\n`), 1_000);
      socket?.once("close", () => clearInterval(timer));
    }),
};
