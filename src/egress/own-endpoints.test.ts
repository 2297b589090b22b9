import { networkInterfaces } from "node:os";
import { expect, it } from "vitest";
import { createTestConfig } from "../config.ts";
import { createMetrics } from "../metrics.ts";
import { createEgress } from "./dispatchers.ts";

const ADDRESSES = Object.values(networkInterfaces()).flatMap((all = []) =>
  all
    .filter(({ address }) => !address.startsWith("fe80"))
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address)),
);

it("refuses the process's own port under every name of this machine, even if the address is allowed", async () => {
  await using egress = createEgress(
    createTestConfig({
      egressAllow: ["0.0.0.0/0", "::/0", "localhost", "*.example"],
      publicUrl: "https://quarry.example",
    }),
    { metrics: createMetrics(), lookup: async () => ["127.0.0.1"] },
  );
  const names = [
    "127.0.0.1",
    "localhost",
    "127.1.2.3",
    "2130706433",
    "0x7f.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "[::]",
    "a.localhost",
    "LOCALHOST.",
    "rebound.example",
    ...ADDRESSES,
  ];
  for (const name of names) await expect(egress.check(name, 4_321), name).resolves.toBeDefined();
  const release = egress.own.add(4_321);
  for (const name of names)
    await expect(egress.check(name, 4_321), name).rejects.toThrow("this server itself");
  expect(await egress.explain("localhost", 4_321)).toMatchObject({
    allowed: false,
    reason: expect.stringContaining("this server itself") as string,
  });
  await expect(egress.check("127.0.0.1", 4_322)).resolves.toBeDefined();
  release();
  await expect(egress.check("127.0.0.1", 4_321)).resolves.toBeDefined();
  await expect(egress.check("quarry.example", 443)).rejects.toThrow("this server itself");
  await expect(egress.check("quarry.example", 8_443)).resolves.toBeDefined();
});
