import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { create } from "./dom.ts";
import { errorBox, skeleton } from "./feedback.ts";

type View<Props extends object> = (props: Props) => VNode;

/** A component whose module is fetched when it is first shown, so that a screen opens without it. */
export function later<Props extends object>(load: () => Promise<View<Props>>): View<Props> {
  let loaded: View<Props> | undefined;
  return function Later(props) {
    const [, setTurn] = useState(0);
    const [fault, setFault] = useState<Error>();
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (view) => {
          loaded = view;
          setTurn((turn) => turn + 1);
        },
        (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
      );
    }, []);
    if (fault !== undefined) return errorBox(fault, () => location.reload());
    return loaded === undefined ? skeleton(10) : create(loaded, props);
  };
}
