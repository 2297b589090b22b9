// An upstream proxy for tests: forwards plain HTTP, marks it with a header, and records requests.
import { createServer, request as send, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type UpstreamProxy = {
  /** `http://name:password@host:port`, as the settings take it. */
  readonly url: string;
  /** Every requested URL in order. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
};

export const PROXY_PASSWORD = "canary-proxy-password";

/** Starts the proxy; forwarded requests get `x-via-proxy: NAME` unless `silent`. */
export async function startUpstreamProxy(
  name: string,
  options: { readonly silent?: boolean } = {},
): Promise<UpstreamProxy> {
  const asked: string[] = [];
  const login = `Basic ${Buffer.from(`${name}:${PROXY_PASSWORD}`).toString("base64")}`;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    if (request.headers["proxy-authorization"] !== login) {
      response.writeHead(407).end();
      return;
    }
    const onward = send(
      request.url ?? "",
      {
        method: request.method,
        headers: headersOf(request, options.silent === true ? undefined : name),
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${name}:${PROXY_PASSWORD}@127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function headersOf(
  request: IncomingMessage,
  name: string | undefined,
): NodeJS.Dict<string | string[]> {
  const { "proxy-authorization": _login, "proxy-connection": _kept, ...headers } = request.headers;
  return name === undefined ? headers : { ...headers, "x-via-proxy": name };
}
