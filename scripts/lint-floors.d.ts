/**
 * Returns the room of a file, as floors.json spells it, and its floor, counted from 0 at the
 * bottom.
 */
export function findRoom(file: string): { room: string; floor: number } | undefined;

/** Returns the reason why `from` may not import `to`, or undefined when it may. */
export function refusal(from: string, to: string): string | undefined;

type ReportedNode = { source?: { value?: unknown } | null };
type Visitor = Record<string, (node: ReportedNode) => void>;
type RuleContext = {
  filename: string;
  report(fault: { node: ReportedNode; message: string }): void;
};

declare const plugin: {
  meta: { name: string };
  rules: { floors: { create(context: RuleContext): Visitor } };
};
// oxlint-disable-next-line import/no-default-export -- oxlint loads plugins by their default export
export default plugin;
