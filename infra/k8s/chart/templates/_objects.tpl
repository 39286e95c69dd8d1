{{/* The objects of a kind in the base, as a list, with the namespace and the label that Kustomize gives them. */}}
{{- define "parley.objects" -}}
{{- $found := list -}}
{{- range $path, $_ := .root.Files.Glob "base/*.yaml" -}}
{{- if not (has (base $path) (list "kustomization.yaml" "namespace.yaml" "node.yaml")) -}}
{{- range splitList "\n---\n" ($.root.Files.Get $path) -}}
{{- $object := fromYaml . -}}
{{- if eq $object.kind $.kind -}}
{{- $_ := set $object.metadata "namespace" $.root.Release.Namespace -}}
{{- $_ := set $object.metadata "labels" (merge (dict "app.kubernetes.io/name" "parley") ($object.metadata.labels | default dict)) -}}
{{- $found = append $found $object -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{/* What the containers of nodes and migrations have alike: laid over `container` in place. `own` has their settings. */}}
{{- define "parley.container" -}}
{{- $values := .root.Values -}}
{{- $_ := set .container "image" (printf "%s:%s" $values.image.repository $values.image.tag) -}}
{{- with $values.image.pullPolicy }}{{ $_ := set $.container "imagePullPolicy" . }}{{ end -}}
{{- range .container.envFrom -}}
{{- if .secretRef -}}
{{- $_ := set .secretRef "name" (ternary $values.secrets.owner $values.secrets.nodes (eq .secretRef.name "parley-owner")) -}}
{{- end -}}
{{- end -}}
{{- $env := concat .own.env (.container.env | default list) -}}
{{- range $name, $source := .own.settingsFrom -}}
{{- $env = append $env (dict "name" $name "valueFrom" (dict "secretKeyRef" $source)) -}}
{{- end -}}
{{- with $env }}{{ $_ := set $.container "env" . }}{{ end -}}
{{- $_ := set .container "volumeMounts" (concat $values.volumeMounts .container.volumeMounts) -}}
{{- $_ := set .pod "volumes" (concat $values.volumes .pod.volumes) -}}
{{- with $values.image.pullSecrets -}}
{{- $names := list -}}
{{- range . }}{{ $names = append $names (dict "name" .) }}{{ end -}}
{{- $_ := set $.pod "imagePullSecrets" $names -}}
{{- end -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" -}}
{{- with index $values $key }}{{ $_ := set $.pod $key . }}{{ end -}}
{{- end -}}
{{- end -}}
