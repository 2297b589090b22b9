// A webhook receiver that counts the events of each job.
import { createServer } from "node:http";

type Event = { id: string; type: string; data: { metadata?: { sourceURL?: string } }[] };

export type ReceivedCall = { readonly urls: Set<string>; events: number; completed: boolean };

export type Receiver = {
  readonly url: string;
  of(jobId: string): ReceivedCall;
  close(): void;
};

export async function startReceiver(): Promise<Receiver> {
  const jobs = new Map<string, ReceivedCall>();
  const of = (id: string): ReceivedCall => {
    const job = jobs.get(id) ?? { urls: new Set<string>(), events: 0, completed: false };
    jobs.set(id, job);
    return job;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, type, data } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Event;
      const job = of(id);
      if (type === "crawl.completed") job.completed = true;
      if (type.endsWith(".page")) {
        job.events += 1;
        for (const { metadata } of data) job.urls.add(metadata?.sourceURL ?? "");
      }
      response.end("ok");
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return { url: `http://127.0.0.1:${address.port}/`, of, close: () => server.close() };
}
