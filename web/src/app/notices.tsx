import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where messages of `say` and `offerUndo` appear. Messages from before it is loaded wait for it. */
export const Notices = () => <Notifications position="bottom-right" />;
