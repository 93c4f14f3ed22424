import Type from 'typebox';
import { SECRET_MASK } from '../../lib/secret-mask.ts';

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
    sip_transport: Type.String(),
    sip_dtmfmode: Type.String(),
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
