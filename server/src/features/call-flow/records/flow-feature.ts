import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import type { Route } from '../../../http/route.ts';
import type { FlowValues } from '../../../lib/flow-record.ts';
import type { TelephonyArea } from '../../telephony/telephony.ts';
import type { FlowResource } from './flow-resource.ts';
import type { FlowService } from './flow-service.ts';
import type { LookAtFlow } from './flow-view.ts';

/** What the features of the area are made with. */
export interface FlowParts {
  readonly telephony: TelephonyArea;
  readonly look: LookAtFlow;
  /** The number of an employee, queue or menu, as far as is known now. */
  readonly isSomebodys: (number: string) => boolean;
  /** Others whenever that may have changed. */
  readonly numbersNow: () => readonly unknown[];
  /** Storing and the routes that all kinds have. */
  readonly declare: <V extends FlowValues>(
    kindOf: FlowResource<V>,
  ) => { readonly service: FlowService<V>; readonly routes: Route[] };
}

/** A resource of the area: its routes, and what of the desired state comes from it. */
export interface FlowFeature {
  readonly routes: readonly Route[];
  /** Before the first request: what there always is. */
  readonly prepare?: () => Promise<void>;
  /** Before `desired` is asked: what it reads is not older than a few seconds. */
  readonly settle?: () => Promise<void>;
  readonly desired?: () => Partial<DesiredCallFlow>;
  readonly startTelling?: () => void;
  readonly close?: () => Promise<void> | void;
}
