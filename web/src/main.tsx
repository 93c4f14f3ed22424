import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/page.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api/api.ts';
import { followLive } from './api/live.ts';
import { queryClient } from './api/query-client.ts';
import { router } from './app/router.tsx';
import { theme } from './app/theme.ts';
import { preferredLanguage, setLanguage } from './texts/i18n.ts';

// The content policy lets only style elements with this value count (contract 31.3).
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
setNonce(nonce);

await Promise.all([setLanguage(preferredLanguage()), session.start()]);
followLive();

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
