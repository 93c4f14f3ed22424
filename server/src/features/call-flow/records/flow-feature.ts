import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import type { Route } from '../../../http/route.ts';
import type { FlowValues } from '../../../lib/flow-record.ts';
import type { TelephonyArea } from '../../telephony/telephony.ts';
import type { FlowResource } from './flow-resource.ts';
import type { FlowService } from './flow-service.ts';
import type { LookAtFlow } from './flow-view.ts';

/** What the features of the area are built from. */
export interface FlowParts {
  readonly telephony: TelephonyArea;
  readonly look: LookAtFlow;
  /** Whether a number belongs to an employee, queue or menu, as far as is known now. */
  readonly isSomebodys: (number: string) => boolean;
  /** Values that differ whenever `isSomebodys` may have changed. */
  readonly numbersNow: () => readonly unknown[];
  /** Creates storage and the routes that all kinds have. */
  readonly declare: <V extends FlowValues>(
    kindOf: FlowResource<V>,
  ) => { readonly service: FlowService<V>; readonly routes: Route[] };
}

/** A resource of the area: its routes and its part of the desired state. */
export interface FlowFeature {
  readonly routes: readonly Route[];
  /** Called before the first request: creates what must always exist. */
  readonly prepare?: () => Promise<void>;
  /** Called before `desired`: what that reads is then at most a few seconds old. */
  readonly settle?: () => Promise<void>;
  readonly desired?: () => Partial<DesiredCallFlow>;
  readonly startTelling?: () => void;
  readonly close?: () => Promise<void> | void;
}
