import Type from 'typebox';
import { answersOf, SECRET_MASK } from '../../../http/fields.ts';
import { employeeFields, putFields } from './employee-fields.ts';

export const EmployeeRecord = Type.Object(
  {
    id: Type.String(),
    ...answersOf(employeeFields),
    sip_secret: Type.String({ description: `${SECRET_MASK} unless the caller has write access` }),
    user_avatar: Type.String(),
    sip_networkfilterid_represent: Type.String(),
    fwd_forwarding_represent: Type.String(),
    fwd_forwardingonbusy_represent: Type.String(),
    fwd_forwardingonunavailable_represent: Type.String(),
    extensions_length: Type.Integer({ description: 'Number of digits of internal numbers, as configured' }),
    created_at: Type.String({ description: 'ISO 8601; empty for an employee that is not stored' }),
    updated_at: Type.String({ description: 'Time of the last write; use it for `updatedSince`' }),
  },
  { $id: 'Employee' },
);

/** Sent back by clients that PUT a record they read. */
export const EMPLOYEE_RESPONSE_FIELDS = Object.keys(EmployeeRecord.properties).filter(
  (name) => !Object.hasOwn(putFields, name),
);

export const EmployeeListItem = Type.Object(
  {
    id: Type.String(),
    number: Type.String(),
    user_username: Type.String(),
    user_email: Type.String(),
    mobile: Type.String(),
    avatar: Type.String(),
    disabled: Type.Boolean(),
  },
  { $id: 'EmployeeListItem' },
);

const { sip_secret: _, ...shownFields } = EmployeeRecord.properties;
export const EmployeeFullItem = Type.Object(
  {
    ...shownFields,
    mobile: Type.String(),
    avatar: Type.String(),
    disabled: Type.Boolean(),
  },
  { $id: 'EmployeeFullItem' },
);

export const EmployeeList = Type.Object({
  data: Type.Array(Type.Union([EmployeeListItem, EmployeeFullItem])),
  recordsTotal: Type.Integer({ description: 'Number of all employees' }),
  recordsFiltered: Type.Integer({ description: 'Number of employees that match' }),
  deleted: Type.Optional(
    Type.Object(
      {
        ids: Type.Array(Type.String()),
        cursor: Type.Integer({ description: 'Value for the next `deletedSince`' }),
        hasMore: Type.Boolean(),
      },
      { description: 'Only with `deletedSince`' },
    ),
  ),
});
