{{- define "quarry.labels" -}}
app.kubernetes.io/name: quarry
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "quarry.selector" -}}
app.kubernetes.io/name: quarry
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quarry.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* The pod of a role: dict "root" $ "role" "api" "resources" .Values.api.resources */ -}}
{{- define "quarry.pod" -}}
metadata:
  labels:
    {{- include "quarry.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  {{- with .root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # Longer than QUARRY_SHUTDOWN_MS, so that running requests can finish.
  terminationGracePeriodSeconds: 40
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: {{- toYaml .root.Values.seccompProfile | nindent 6 }}
  containers:
    - name: quarry
      image: {{ include "quarry.image" .root | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      envFrom:
        - secretRef:
            name: {{ required "existingSecret: name a secret with DATABASE_URL, QUARRY_SECRET and QUARRY_API_KEY" .root.Values.existingSecret }}
      env:
        - { name: QUARRY_ROLE, value: {{ .role | quote }} }
        - { name: QUARRY_BLOBS, value: {{ .root.Values.blobs | quote }} }
        - { name: QUARRY_BROWSER_SANDBOX, value: {{ .root.Values.browserSandbox | quote }} }
        {{- range $name, $value := .root.Values.settings }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
      ports:
        - { name: http, containerPort: 3002 }
      startupProbe:
        httpGet: { path: /v0/health/readiness, port: http }
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        httpGet: { path: /v0/health/readiness, port: http }
        periodSeconds: 5
      livenessProbe:
        httpGet: { path: /v0/health/liveness, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: data, mountPath: /data }
  volumes:
    - name: tmp
      emptyDir: { sizeLimit: {{ .root.Values.tmpSize }} }
    # Bodies lie in the object store; this folder holds only what one process needs.
    - name: data
      emptyDir: {}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "quarry.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
{{- end }}
