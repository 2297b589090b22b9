import type { Wire } from "./playwright.ts";
import { Route, RouteRules } from "./routes.ts";

/** Converts a page event to Playwright's object and dispatches it to the listeners. */
export function dispatchEvent(wire: Wire, json: string): void {
  const event = JSON.parse(json) as {
    page: number;
    name: string;
    id: number;
    about: Record<string, unknown>;
  };
  const page = wire.page(event.page);
  if (event.name === "route") {
    const route = new Route(
      (kind, options) => wire.call(page.target, "routeAnswer", [event.id, kind, options]),
      event.about,
    );
    const apply = async (): Promise<void> => {
      const rules = new RouteRules();
      rules.rules = [...wire.routes.rules, ...page.routes.rules];
      await rules.apply(route);
    };
    apply().catch((error: unknown) => {
      wire.host.write("stderr", `${String(error)}\n`);
      if (!route.isHandled) void route.continue().catch(() => undefined);
    });
    return;
  }
  const value: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(event.about)) value[name] = () => part;
  const act = (name: string) => (text?: string) => wire.call(page.target, name, [event.id, text]);
  if (event.name === "dialog")
    Object.assign(value, { accept: act("acceptDialog"), dismiss: act("dismissDialog") });
  if (event.name === "response") {
    const text = act("responseText");
    Object.assign(value, { text, json: async () => JSON.parse(String(await text())) as unknown });
  }
  const given =
    event.name === "popup"
      ? wire.page(event.id)
      : event.name === "pageerror"
        ? new Error(String(event.about["message"]))
        : value;
  const { [event.name]: listeners = [] } = page.listeners;
  for (const listener of listeners.slice()) {
    Promise.resolve()
      .then(() => listener(given))
      .catch((error: unknown) => wire.host.write("stderr", `${String(error)}\n`));
  }
}
