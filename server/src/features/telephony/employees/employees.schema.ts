import Type from 'typebox';
import { SECRET_MASK } from '../../../lib/secret-mask.ts';
import { DTMF_MODES, MEDIA_ENCRYPTIONS, TRANSPORTS } from './employee.ts';

export const EmployeeRecord = Type.Object(
  {
    id: Type.String(),
    number: Type.String(),
    user_username: Type.String(),
    user_email: Type.String(),
    user_avatar: Type.String(),
    mobile_number: Type.String(),
    mobile_dialstring: Type.String(),
    sip_secret: Type.String({ description: `${SECRET_MASK} unless the caller may write` }),
    sip_transport: Type.Enum([...TRANSPORTS]),
    sip_dtmfmode: Type.Enum([...DTMF_MODES]),
    sip_media_encryption: Type.Enum([...MEDIA_ENCRYPTIONS]),
    sip_enableRecording: Type.Boolean(),
    sip_networkfilterid: Type.String(),
    sip_networkfilterid_represent: Type.String(),
    sip_manualattributes: Type.String(),
    fwd_ringlength: Type.Integer(),
    fwd_forwarding: Type.String(),
    fwd_forwarding_represent: Type.String(),
    fwd_forwardingonbusy: Type.String(),
    fwd_forwardingonbusy_represent: Type.String(),
    fwd_forwardingonunavailable: Type.String(),
    fwd_forwardingonunavailable_represent: Type.String(),
    extensions_length: Type.Integer({ description: 'Digits of internal numbers, as configured' }),
    created_at: Type.String({ description: 'ISO 8601; empty for an employee that is not stored' }),
    updated_at: Type.String({ description: 'Of the last write: the time for `updatedSince`' }),
  },
  { $id: 'Employee' },
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
  recordsTotal: Type.Integer({ description: 'All employees' }),
  recordsFiltered: Type.Integer({ description: 'Those that match' }),
  deleted: Type.Optional(
    Type.Object(
      {
        ids: Type.Array(Type.String()),
        cursor: Type.Integer({ description: 'The next `deletedSince`' }),
        hasMore: Type.Boolean(),
      },
      { description: 'With `deletedSince`' },
    ),
  ),
});
