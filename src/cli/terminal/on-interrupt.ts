import { EXIT } from "./exit-codes.ts";

/** The first Ctrl-C calls `stop`, a second one exits at once, until `end`. */
export function onInterrupt(stop: () => void): { wasAsked(): boolean; end(): void } {
  let asked = false;
  const onSignal = (): void => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    stop();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    wasAsked: () => asked,
    end() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
