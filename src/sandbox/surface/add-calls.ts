// The calls that Playwright's objects only forward to the host, from the list of the surface.
import { addMethods, addRefusals, type Host, type Step } from "./host.ts";
import { Frame, FrameLocator, Locator, Page, Root } from "./playwright.ts";
import { RouteAnswer } from "./routes.ts";

/** Adds the calls of the surface to the classes: once, because a page has many locators. */
export function addCalls({ surface }: Host): void {
  const { refused } = surface;
  const own = async (receiver: unknown, name: string, values: unknown[]): Promise<unknown> => {
    const { wire, target } = receiver as Root;
    const answer = await wire.call(target, name, values);
    const isResponse = typeof answer === "object" && answer !== null && "$response" in answer;
    return isResponse ? new RouteAnswer(answer as Record<string, unknown>) : answer;
  };
  // Before those of an element, which they win over.
  addMethods(Page.prototype, surface.page, own);
  addMethods(Frame.prototype, surface.frame, own);
  addMethods(Root.prototype, surface.steps, (receiver, name, values) => {
    const { wire, target } = receiver as Root;
    return new Locator(wire, target.page, target.steps).step(name, values);
  });
  // page.click(selector) is page.locator(selector).first().click().
  addMethods(Root.prototype, surface.locator, (receiver, name, [selector, ...values]) =>
    (receiver as Root).wire.call((receiver as Root).element(selector).target, name, values),
  );
  addRefusals(Page.prototype, "page", refused);
  const goto = "use page.goto, or set the src of the frame with page.evaluate";
  addRefusals(Frame.prototype, "frame", { ...refused, goto, setContent: "use frame.evaluate" });
  addMethods(Locator.prototype, surface.steps, (receiver, name, values) =>
    (receiver as Locator).step(name, values),
  );
  addMethods(Locator.prototype, surface.locator, (receiver, name, values) =>
    (receiver as Locator).wire.call((receiver as Locator).target, name, values),
  );
  addRefusals(Locator.prototype, "locator", refused);
  addMethods(FrameLocator.prototype, surface.frameSteps, (receiver, name, values) => {
    const { wire, target } = receiver as FrameLocator;
    const further: Step[] = [...target.steps, [name, ...values]];
    return ["frameLocator", "first", "last", "nth"].includes(name)
      ? new FrameLocator(wire, target.page, further)
      : new Locator(wire, target.page, further);
  });
}
