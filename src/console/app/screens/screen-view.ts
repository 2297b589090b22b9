import type { VNode } from "preact";

export type ScreenProps = { readonly id?: string | undefined; readonly kind?: string | undefined };
export type ScreenView = (props: ScreenProps) => VNode;
