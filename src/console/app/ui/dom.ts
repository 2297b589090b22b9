// Elements as typed functions: `div({ class: "row" }, child)`. The compiler checks tags, attributes
// and handlers, which it cannot do with templates in strings, and nothing has to be built.
import { createElement, type ComponentChildren, type JSX, type VNode } from "preact";

/** Creates an element of any tag; the types below check the properties. */
const h = createElement as (
  type: string | ((props: never) => ComponentChildren),
  attributes: object | null,
  ...children: ComponentChildren[]
) => VNode;

type Tags = JSX.IntrinsicElements;
type Data = { readonly [Name in `data-${string}`]?: string | number | undefined };
/** Some tags have a union of attribute sets, so the type distributes over it. */
type ChildlessProps<Attributes> = Attributes extends unknown ? Omit<Attributes, "children"> : never;
type Attributes<Tag extends keyof Tags> = (ChildlessProps<Tags[Tag]> & Data) | null;
type Element<Tag extends keyof Tags> = (
  attributes?: Attributes<Tag>,
  ...children: ComponentChildren[]
) => VNode;

export const dom = new Proxy(
  {},
  {
    get:
      (_target, tag: string) =>
      (attributes: object | null = null, ...children: ComponentChildren[]) =>
        h(tag, attributes, ...children),
  },
) as { readonly [Tag in keyof Tags]: Element<Tag> };

/** Joins the class names that apply. */
export const classes = (...names: (string | false | undefined)[]): string =>
  names.filter((name) => name !== false && name !== undefined && name !== "").join(" ");

/** Creates an element of a component with checked properties. */
export const create = <Props extends object>(
  component: (props: Props) => ComponentChildren,
  props: Props & { readonly key?: string | number },
): VNode => h(component, props);
